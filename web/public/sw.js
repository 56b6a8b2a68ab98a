/* Keeps the shell of the pages, and nothing else: scripts and styles, which never change under their name, and the
   page that loads them, for a start without a connection. What the server says about tables is never kept. */

const SHELL = "croupier-shell-1";
const MOST = 160;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name !== SHELL);
  event.waitUntil(caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))));
});

async function keep(request, response) {
  const shell = await caches.open(SHELL);
  await shell.put(request, response);
  const kept = await shell.keys();
  // The oldest come first.
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST)).map((old) => shell.delete(old)));
}

async function asset(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await keep(request, response.clone());
  return response;
}

/** Every page is the same document. */
async function page(request) {
  try {
    const response = await fetch(request);
    if (response.ok) await keep("/", response.clone());
    return response;
  } catch (error) {
    const kept = await caches.match("/");
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(page(request));
});
