/// <reference types="vitest/config" />
import { defineConfig } from "vite";

export default defineConfig({
  base: "/",
  build: {
    outDir: "../src/croupier/pages",
    // The build hook writes its stamp after the build: pages without one are built again.
    emptyOutDir: true,
    target: "es2022",
    // The server announces what a page needs (net/preload.py).
    manifest: "chunks.json",
    modulePreload: { polyfill: false },
  },
  test: { setupFiles: ["src/tests/setup.ts"] },
  server: {
    // Texts and rules of the games are in their folders.
    fs: { allow: [".."] },
    // `npm run dev` next to a running `croupier serve`.
    proxy: {
      "/api": { target: "http://127.0.0.1:8080", ws: true },
      "/house": { target: "http://127.0.0.1:8080", ws: true },
    },
  },
});
