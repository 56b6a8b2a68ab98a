/** The rules of the games for players: `<language>.<game>.md`, each fetched when it is first wanted. */

const TEXTS = import.meta.glob<string>("./??.*.md", { query: "?raw", import: "default" });

export interface RulesText {
  /** What it is written in: English where the wanted language has none yet. */
  language: string;
  text: string;
}

/** Fetch the rules of *game* in *language*; null for a game without any. */
export async function loadRules(game: string, language: string): Promise<RulesText | null> {
  for (const one of [language, "en"]) {
    const load = TEXTS[`./${one}.${game}.md`];
    if (load) return { language: one, text: await load() };
  }
  return null;
}

/** A piece of such a text. Of Markdown they use headings, paragraphs, lists, tables, **strong** and *emphasis*. */
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
