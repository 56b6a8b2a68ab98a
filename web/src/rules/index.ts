/** The rules of the games for players: the built-in ones are loaded on demand from the files in their folders. */

import { api } from "../net/api";
import { bind } from "../texts";

const FILES = import.meta.glob<string>("../../../src/croupier/games/*/rules*.md", { query: "?raw", import: "default" });

/** Load the rules of *game* in *language*; a game from outside has them on the server, in English if not in *language*. */
export async function loadRules(game: string, language: string): Promise<string> {
  const file = language === "en" ? "rules.md" : `rules.${language}.md`;
  const load = FILES[`../../../src/croupier/games/${game}/${file}`];
  return bind(load ? await load() : await api.rules(game, language), language);
}

/** A block of the rules. Supported Markdown: headings, paragraphs, lists, tables, **strong** and *emphasis*. */
export type Block =
  | { kind: "heading" | "paragraph"; text: string }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] };

export function blocksOf(text: string): Block[] {
  return text
    .trim()
    .split(/\n\s*\n/u)
    .map((block): Block => {
      const lines = block.split("\n");
      if (block.startsWith("## ")) return { kind: "heading", text: block.slice(3) };
      if (block.startsWith("|")) {
        const [head = [], , ...rows] = lines.map(cellsOf);
        return { kind: "table", head, rows };
      }
      const bullet = /^(?:- |\d+\. )/u;
      if (bullet.test(block)) {
        return { kind: "list", ordered: !block.startsWith("- "), items: lines.map((line) => line.replace(bullet, "")) };
      }
      return { kind: "paragraph", text: lines.join(" ") };
    });
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
