/** The name of an account in protocols that allow only lower-case letters and digits. */

/** Letters that Unicode normalisation does not split into a plain letter and a mark. */
const LETTERS: Record<string, string> = { đ: "d", ð: "d", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", þ: "th", ß: "ss" };

export function nickOf(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase();
  return [...plain].map((sign) => LETTERS[sign] ?? sign).join("").replace(/[^a-z0-9]/gu, "");
}
