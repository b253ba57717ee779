// Search in pages opened from disk: browsers start no Worker there, so the theme's search runs in a hidden frame instead.
if (location.protocol === "file:") {
    window.Worker = window.IFrameWorker = class extends EventTarget {
        constructor(url) {
            super();
            const frame = Object.assign(document.createElement("iframe"), { hidden: true, srcdoc: "<body>" });
            const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
            document.body.append(frame);
            const load = (path) => new Promise((done, failed) => {
                const script = Object.assign(frame.contentDocument.createElement("script"), { src: path });
                script.addEventListener("load", done);
                script.addEventListener("error", failed);
                frame.contentDocument.body.append(script);
            });
            this.scope = loaded.then(async () => {
                const scope = frame.contentWindow;
                scope.importScripts = async (...paths) => {
                    for (const path of paths) { await load(path); }
                };
                scope.postMessage = (data) => setTimeout(() => this.dispatchEvent(new MessageEvent("message", { data })));
                await load(url);
                return scope;
            });
        }

        postMessage(data) {
            this.scope.then((scope) => scope.dispatchEvent(new MessageEvent("message", { data })));
        }
    };
}
