/* Searches SEARCH_INDEX, a list of {page, chapter, heading, text}: every word must occur, headings count most. */
"use strict";

(function () {
    const input = document.getElementById("search");
    const list = document.getElementById("found");
    const LIMIT = 12;

    function plain(text) {
        return text.toLowerCase().replace(/[_\-]/g, " ");
    }

    const pieces = SEARCH_INDEX.map(function (piece) {
        return { piece: piece, heading: plain(piece.heading + " " + piece.chapter), text: plain(piece.text) };
    });

    function score(entry, words) {
        let sum = 0;
        for (const word of words) {
            const inHeading = entry.heading.includes(word);
            const inText = entry.text.split(word).length - 1;
            if (!inHeading && inText === 0) {
                return 0;
            }
            sum += (inHeading ? 20 : 0) + Math.min(inText, 5);
        }
        return sum;
    }

    /* The words around the first hit. */
    function excerpt(entry, word) {
        const at = Math.max(0, entry.text.indexOf(word));
        const start = Math.max(0, at - 40);
        return (start > 0 ? "… " : "") + entry.piece.text.slice(start, start + 130) + " …";
    }

    function show(query) {
        const words = plain(query).split(/\s+/).filter(Boolean);
        const hits = words.length === 0 ? [] : pieces
            .map(function (entry) { return { entry: entry, score: score(entry, words) }; })
            .filter(function (hit) { return hit.score > 0; })
            .sort(function (a, b) { return b.score - a.score; })
            .slice(0, LIMIT);
        list.replaceChildren();
        for (const hit of hits) {
            const item = document.createElement("li");
            const link = document.createElement("a");
            const heading = document.createElement("strong");
            const rest = document.createElement("span");
            link.href = hit.entry.piece.page;
            heading.textContent = hit.entry.piece.heading;
            rest.textContent = hit.entry.piece.chapter + ": " + excerpt(hit.entry, words[0]);
            link.append(heading, rest);
            item.append(link);
            list.append(item);
        }
        if (words.length > 0 && hits.length === 0) {
            const item = document.createElement("li");
            item.textContent = "Nothing found.";
            list.append(item);
        }
        list.hidden = words.length === 0;
    }

    input.addEventListener("input", function () { show(input.value); });
    input.addEventListener("keydown", function (event) {
        const first = list.querySelector("a");
        if (event.key === "Enter" && first !== null) {
            list.hidden = true;
            window.location.href = first.href;
        } else if (event.key === "Escape") {
            input.value = "";
            show("");
            input.blur();
        } else if (event.key === "ArrowDown" && first !== null) {
            event.preventDefault();
            first.focus();
        }
    });
    list.addEventListener("click", function () { list.hidden = true; });
    list.addEventListener("keydown", function (event) {
        const item = document.activeElement.closest("li");
        const neighbours = { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling };
        const next = neighbours[event.key] || null;
        if (next !== null) {
            event.preventDefault();
            next.querySelector("a").focus();
        }
    });
    document.addEventListener("click", function (event) {
        if (!event.target.closest(".search")) {
            list.hidden = true;
        }
    });
    document.addEventListener("keydown", function (event) {
        if (event.key === "/" && document.activeElement !== input) {
            event.preventDefault();
            input.focus();
        }
    });
    /* A link to a place inside a fold opens the fold. */
    function open_fold() {
        const id = decodeURIComponent(window.location.hash.slice(1));
        let place = id === "" ? null : document.getElementById(id);
        for (; place !== null; place = place.parentElement) {
            if (place.tagName === "DETAILS") {
                place.open = true;
            }
        }
    }
    window.addEventListener("hashchange", open_fold);
    open_fold();
}());
