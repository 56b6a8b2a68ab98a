/** Texts of the operator's page, in Czech. */

import type { OperatorTexts } from "./en";

export const cs: OperatorTexts = {
  title: "Provoz",
  lead: "Co tento server dělá, načteno každé dvě sekundy.",
  token: "Klíč správce",
  "token.more": "Obsah souboru, který server dostal volbou --operator-token-file. Pamatuje se, dokud tuto kartu prohlížeče nezavřete.",
  "token.open": "Zobrazit",
  "token.wrong": "Tento klíč server nezná.",
  "token.forget": "Zapomenout klíč",
  none: "Tento server nemá stránku pro správce",
  "none.more": "Spusťte ho s --operator-token-file FILE, kde FILE obsahuje klíč o nejméně 16 znacích, nebo nastavte operator_token_file v jeho konfiguraci.",
  away: "Server neodpovídá; co vidíte, je {n} s staré.",

  uptime: "Běží už",
  connections: "Spojení",
  tables: "Otevřené stoly",
  actions: "Tahů celkem",
  rate: "Tahů za sekundu",
  late: "Zpoždění smyčky událostí",
  queue: "Úložiště: čeká",
  commit: "Úložiště: poslední zápis",
  "rate.more": "průměr poslední minuty",
  "late.more": "nejvíc za poslední minutu",
  "queue.more": "zápisy, které ještě nejsou na disku",
  "commit.more": "nejvíc za poslední minutu",

  plots: "Poslední dvě minuty",
  "plot.label": "{title}: teď {now}, nejvíc {high} za poslední sekundy ({n})",
  "plot.high": "nejvíc {high}",

  "tables.title": "Stoly podle hry a fáze",
  "tables.none": "Žádný stůl není otevřený.",
  "tables.game": "Hra",
  "tables.phase": "Fáze",
  "tables.count": "Stoly",
  "broken.title": "Porouchané stoly",
  "broken.more": "Nepodařilo se je obnovit z jejich záznamů; výpis říká proč.",
  "pool.title": "Procesy botů",
  "store.title": "Deník událostí",
  "store.name": "Počítadlo",
  "store.value": "Hodnota",
  "versions.title": "Verze",
  "versions.rules": "Pravidla",
};
