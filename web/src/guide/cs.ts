import type { en } from "./en";

export const cs: typeof en = {
  title: "Vaše první partie",
  ok: "Rozumím",
  skip: "Přeskočit úvod",

  "tarock.bidding":
    "Nejdřív se draží hra. Dražte jen s mnoha taroky (očíslovanými trumfy) nebo králi; s průměrným listem pasujte. Vyšší hra přinese víc a hůř se vyhrává.",
  "tarock.calling": "Hrajete vy. Zavolejte krále: kdo ho má, je váš partner, a ví to jen on.",
  "tarock.exchanging":
    "Vezměte si jednu část talonu, šesti karet uprostřed. Pak odložte stejný počet karet; počítají se vaší straně. Taroky si nechte.",
  "tarock.announcing":
    "Můžete ohlásit prémii, třeba poslední zdvih pagátem (tarok I). Ohlášená platí víc, neúspěch stojí stejně. Obvykle zvolte Nic.",
  "tarock.playing":
    "Přiznejte barvu, když ji máte. Když ne, musíte hrát tarok. Zdvih bere nejvyšší tarok, jinak nejvyšší karta barvy. Hráč potřebuje 36 ze 70 bodů.",

  "coinche.bidding":
    "Hrajete s hráčem naproti. Řekněte, kolik ze 162 bodů vaše strana získá a s jakými trumfy: na 80 jsou potřeba asi čtyři trumfy s klukem. Pas je také v pořádku.",
  "coinche.playing":
    "Přiznejte barvu; jinak musíte trumfovat, a to výš než trumfy na stole, když můžete, ledaže vede partner. V trumfech jsou nejvyšší kluk (20) a devítka (14).",

  "taroky.prever":
    "Prever znamená hru jednoho proti třem, s polovinou talonu. Odpovězte ne, pokud nemáte velmi silný list: pak hrají všichni s partnerem.",
  "taroky.talon": "Talon se rozdá. Nabízenou kartu si můžete vzít, nebo ji poslat dál.",
  "taroky.discard":
    "Máte teď víc než dvanáct karet: zbytek odložte. Nejdřív karty barev; králové a taroky zůstávají v ruce.",
  "taroky.moneycards": "Některé kombinace, třeba mnoho taroků nebo všechny krále, ostatní hned zaplatí.",
  "taroky.partner":
    "Jste Povinnost a jmenujete tarok. Kdo ho má, je váš partner; nikdo jiný to neví, dokud se nezahraje.",
  "taroky.valat": "Valát znamená, že vaše strana vezme všech dvanáct zdvihů. Skoro vždy odpovězte ne.",
  "taroky.contra": "Kontra zdvojnásobí hodnotu hry. Řekněte ji, jen když čekáte výhru.",
  "taroky.iote": "Můžete ohlásit, že tarok I vezme poslední zdvih. Přinese to víc a neúspěch stojí stejně.",
  "taroky.play":
    "Přiznejte barvu, když ji máte, jinak hrajte tarok. Zdvih bere nejvyšší tarok, jinak nejvyšší karta barvy. Hráči potřebují víc než 53 ze 106 bodů.",

  "sagrada.choosing":
    "Vyberte jedno ze čtyř oken, které budete plnit kostkami. Vytištěné barvy a čísla říkají, co tam smí. Těžší okna přinášejí víc žetonů na nástroje.",
  "sagrada.extracting": "Toto kolo začínáte vy: vytáhněte kostky pro všechny ze sáčku.",
  "sagrada.turn":
    "Vezměte kostku a položte ji do okna: první na okraj, každou další vedle jiné kostky, i šikmo. Stejné barvy nebo čísla se nesmí dotýkat stranou. V každém kole jste na tahu dvakrát.",
};
