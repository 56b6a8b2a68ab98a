/** What an account is called in protocols whose names have small letters and digits only. */

/** Letters that have no plain letter in them, as Unicode sees it. */
const LETTERS: Record<string, string> = { đ: "d", ð: "d", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", þ: "th", ß: "ss" };

export function nickOf(name: string): string {
  const plain = name.normalize("NFKD").toLowerCase();
  return [...plain].map((sign) => LETTERS[sign] ?? sign).join("").replace(/[^a-z0-9]/gu, "");
}
