(function () {
    "use strict";
    var data = JSON.parse(document.getElementById("data").textContent);
    var here = document.getElementById("here"), grid = document.querySelector(".grid"), now = document.getElementById("now");
    var memory = document.getElementById("memory"), column = data.focus[0], thread = data.focus[1], found = 0;
    var kinds = { R: "reads", W: "writes", A: "changes atomically" };

    function stepOf(at, of) { return data.columns[at].steps[Math.floor(of / 32)]; }
    function bit(mask, lane) { return Math.floor(mask / Math.pow(2, lane)) % 2 === 1; }
    function element(array, index) {
        var a = data.arrays[array];
        return a.name + (a.columns > 0 && index >= 0 ? "[" + Math.floor(index / a.columns) + "][" + index % a.columns + "]" : "[" + index + "]");
    }
    /* The step of the thread's warp that it waits at, or null. */
    function waitsAt(at, of) {
        for (var i = at; i >= 0 && data.columns[i].interval === data.columns[at].interval; i--) {
            var step = stepOf(i, of);
            if (step && step.at === "barrier" && bit(step.mask, of % 32)) { return step; }
        }
        return null;
    }
    function words() {
        var step = stepOf(column, thread), waits = waitsAt(column, thread), text = "Step " + (column + 1) + ", " + data.names[thread] + ": ";
        var does = [], cost = [];
        if (waits) { text += "waits at the barrier in line " + waits.line + "."; }
        else if (!step) { text += "its warp has nothing to do until the other warps arrive."; }
        else if (!bit(step.live, thread % 32)) { text += "has left the kernel."; }
        else if (!bit(step.mask, thread % 32)) { text += "takes no part in line " + step.line + ", which others of its warp execute."; }
        else { text += "line " + step.line + (step.at === "exit" ? ", leaves the kernel" : step.at === "warp_barrier" ? ", meets its warp" : "") + "."; }
        if (step) {
            step.requests.forEach(function (request) {
                request.lanes.forEach(function (lane) {
                    if (lane[0] === thread % 32) {
                        does.push(kinds[request.kind] + " " + element(request.array, lane[1]) + (lane[2] === null ? " (outside: nothing happens)" : " = " + lane[2]));
                    }
                });
                if (request.units > request.ideal) {
                    cost.push(data.arrays[request.array].name + ": " + request.units + (request.shared ? " passes" : " sectors") + ", " + request.ideal + " would do");
                }
            });
        }
        if (does.length) { text += " It " + does.join(", ") + "."; }
        if (cost.length) { text += " Its warp's requests: " + cost.join("; ") + "."; }
        data.found.forEach(function (mark) {
            if (mark.finding && mark.cells.some(function (cell) { return cell[0] === column && cell[1] === thread; })) { text += " Finding: " + mark.text; }
        });
        return text;
    }
    function values() {
        var state = {}, touched = {};
        for (var i = 0; i <= column; i++) {
            var steps = Object.keys(data.columns[i].steps).map(function (key) { return data.columns[i].steps[key]; });
            steps.sort(function (a, b) { return a.order - b.order; });
            steps.forEach(function (step) {
                step.requests.forEach(function (request) {
                    if (!request.shared) { return; }
                    request.lanes.forEach(function (lane) {
                        if (lane[2] !== null) { (state[request.array] = state[request.array] || {})[lane[1]] = lane[2]; }
                        if (i === column) { (touched[request.array] = touched[request.array] || {})[lane[1]] = lane[0] === thread % 32 && step === stepOf(i, thread) ? 2 : 1; }
                    });
                });
            });
        }
        memory.textContent = "";
        data.arrays.forEach(function (array, number) {
            if (array.space !== "shared") { return; }
            var head = document.createElement("h3"), box = document.createElement("div"), hit = touched[number] || {};
            var own = Object.keys(hit).filter(function (key) { return hit[key] === 2; }), any = Object.keys(hit);
            var first = array.count <= data.window ? 0 : Math.max(0, Math.min(array.count - data.window, Math.floor(Number(own[0] || any[0] || 0) / 32) * 32 - 32));
            head.textContent = array.name + ", " + array.count + " elements" + (array.count > data.window ? ", from " + first : "");
            box.className = "memory";
            for (var i = first; i < Math.min(array.count, first + data.window); i++) {
                var cell = document.createElement("span"), index = document.createElement("small"), value = (state[number] || {})[i];
                index.textContent = i;
                cell.appendChild(index);
                cell.appendChild(document.createTextNode(value === undefined ? "?" : value));
                if (hit[i]) { cell.className = "touched"; }
                box.appendChild(cell);
            }
            memory.appendChild(head);
            memory.appendChild(box);
        });
    }
    function show(scroll) {
        var place = data.columns[column], y = data.y[thread], step = stepOf(column, thread), row;
        here.setAttribute("x", place.x);
        here.setAttribute("width", place.width);
        here.setAttribute("y", y);
        now.textContent = words();
        document.querySelectorAll(".row.lit").forEach(function (old) { old.classList.remove("lit"); old.removeAttribute("aria-current"); });
        row = step && document.getElementById("line-" + step.line);
        if (row) {
            row.classList.add("lit");
            row.setAttribute("aria-current", "step");
            row.parentElement.parentElement.scrollTop = row.offsetTop - row.parentElement.parentElement.offsetTop - 120;
        }
        values();
        if (scroll) {
            grid.scrollLeft = Math.max(0, place.x - grid.clientWidth / 2);
            grid.scrollTop = Math.max(0, y - grid.clientHeight / 2);
        }
        grid.setAttribute("data-step", column + 1);
        grid.setAttribute("data-thread", thread);
    }
    var acts = {
        left: function () { column = Math.max(0, column - 1); },
        right: function () { column = Math.min(data.columns.length - 1, column + 1); },
        up: function () { thread = Math.max(0, thread - 1); },
        down: function () { thread = Math.min(data.names.length - 1, thread + 1); },
        barrier: function () {
            for (var i = column + 1; i < data.columns.length; i++) {
                if (data.columns[i].interval !== data.columns[column].interval) { column = i; return; }
            }
            for (i = 0; i < data.columns.length && data.columns[0].interval !== data.columns[column].interval; i++) { column = 0; return; }
        },
        finding: function () {
            if (!data.spots.length) { return; }
            found = (found + 1) % data.spots.length;
            column = data.spots[found][0];
            thread = data.spots[found][1];
        }
    };
    var keys = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", n: "barrier", f: "finding" };
    function act(name) { acts[name](); show(true); }
    grid.addEventListener("keydown", function (event) {
        if (event.altKey || event.ctrlKey || event.metaKey || !keys[event.key]) { return; }
        event.preventDefault();
        act(keys[event.key]);
    });
    document.addEventListener("keydown", function (event) {
        if (event.target === grid || event.altKey || event.ctrlKey || event.metaKey || (event.key !== "n" && event.key !== "f")) { return; }
        act(keys[event.key]);
    });
    document.querySelectorAll(".keys button").forEach(function (button) {
        button.addEventListener("click", function () { act(button.getAttribute("data-act")); });
    });
    grid.addEventListener("click", function (event) {
        var box = grid.querySelector("svg").getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
        data.columns.forEach(function (place, i) { if (x >= place.x && x < place.x + place.width) { column = i; } });
        data.y.forEach(function (top, i) { if (y >= top && y < top + 16) { thread = i; } });
        show(false);
    });
    document.querySelector(".keys").hidden = false;
    show(true);
}());
