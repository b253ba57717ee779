/* The table of a class: sorts by a column, shows the rows that hold a word. Without this script it is the same table, by id. */
"use strict";
(function () {
    var table = document.querySelector("table.class-table");
    if (!table || !table.tBodies[0]) {
        return;
    }
    var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);

    function key(row, column) {
        var cell = row.cells[column], number = cell.getAttribute("data-sort");
        return number === null ? cell.textContent.toLowerCase() : Number(number);
    }

    /* Equal rows stay in the order of the page, which is by id. */
    function sort(column, direction) {
        var keyed = rows.map(function (row, at) { return { key: key(row, column), at: at, row: row }; });
        keyed.sort(function (a, b) {
            var order = typeof a.key === "number" && typeof b.key === "number" ? a.key - b.key :
                a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
            return order * direction || a.at - b.at;
        });
        var all = document.createDocumentFragment();
        keyed.forEach(function (entry) { all.appendChild(entry.row); });
        body.appendChild(all);
        heads.forEach(function (head, at) {
            if (at === column) {
                head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
            } else {
                head.removeAttribute("aria-sort");
            }
        });
    }

    heads.forEach(function (head, column) {
        var button = document.createElement("button");
        button.type = "button";
        while (head.firstChild) {
            button.appendChild(head.firstChild);
        }
        head.appendChild(button);
        button.addEventListener("click", function () {
            sort(column, head.getAttribute("aria-sort") === "ascending" ? -1 : 1);
        });
    });

    var line = document.createElement("p"), label = document.createElement("label"), input = document.createElement("input");
    var told = document.createElement("span"), waiting = 0;
    line.className = "filter";
    label.textContent = "Show rows with ";
    input.type = "search";
    input.setAttribute("autocomplete", "off");
    told.setAttribute("role", "status");
    label.appendChild(input);
    line.appendChild(label);
    line.appendChild(told);
    table.parentNode.parentNode.insertBefore(line, table.parentNode);

    function filter() {
        var word = input.value.trim().toLowerCase(), visible = 0;
        rows.forEach(function (row) {
            row.hidden = word !== "" && row.textContent.toLowerCase().indexOf(word) < 0;
            visible += row.hidden ? 0 : 1;
        });
        told.textContent = word === "" ? "" : visible + " of " + rows.length + " shown";
    }

    input.addEventListener("input", function () {
        clearTimeout(waiting);
        waiting = setTimeout(filter, 120);
    });
}());
