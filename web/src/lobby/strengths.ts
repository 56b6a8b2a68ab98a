/** The bots of a game in the order they are offered, and what to expect of each. */

import type { GameInfo } from "../net/protocol";
import { part } from "../texts/part";

type Known = "random" | "dummy" | "default" | "novice" | "heuristic" | "club" | "expert";

const words = {
  en: {
    random: "does anything the rules allow",
    dummy: "passes three cards, then plays at random: a stand-in, no opponent",
    default: "does what the clock would do for somebody who does not answer",
    novice: "thinks a few moves through: for a first game",
    heuristic: "plays at once, by rules of thumb",
    club: "thinks before every move, briefly: a good regular player",
    expert: "thinks longest, up to two seconds a move: the strongest",
  },
  de: {
    random: "tut irgendetwas, was die Regeln erlauben",
    dummy: "gibt drei Karten weiter und spielt dann zufällig: ein Platzhalter, kein Gegner",
    default: "tut, was die Uhr für jemanden täte, der nicht antwortet",
    novice: "denkt ein paar Züge durch: für die erste Partie",
    heuristic: "spielt sofort, nach Faustregeln",
    club: "denkt vor jedem Zug kurz nach: ein guter Stammspieler",
    expert: "denkt am längsten, bis zu zwei Sekunden je Zug: der stärkste",
  },
  fr: {
    random: "fait tout ce que la règle permet",
    dummy: "passe trois cartes, puis joue au hasard : un figurant, pas un adversaire",
    default: "fait ce que ferait l’horloge pour qui ne répond pas",
    novice: "réfléchit à quelques coups : pour une première partie",
    heuristic: "joue aussitôt, par habitude",
    club: "réfléchit brièvement avant chaque coup : un bon habitué",
    expert: "réfléchit le plus, jusqu’à deux secondes par coup : le plus fort",
  },
  sl: {
    random: "stori karkoli, kar pravila dovolijo",
    dummy: "poda tri karte, potem igra naključno: nadomestek, ne nasprotnik",
    default: "stori, kar bi ura storila za tistega, ki ne odgovori",
    novice: "premisli nekaj potez: za prvo igro",
    heuristic: "igra takoj, po izkušnjah",
    club: "pred vsako potezo na kratko premisli: dober stalni igralec",
    expert: "misli najdlje, do dve sekundi na potezo: najmočnejši",
  },
  cs: {
    random: "udělá cokoli, co pravidla dovolí",
    dummy: "předá tři karty a pak hraje náhodně: náhradník, ne soupeř",
    default: "udělá to, co by udělaly hodiny za toho, kdo neodpovídá",
    novice: "promyslí pár tahů: pro první hru",
    heuristic: "hraje hned, podle zkušenosti",
    club: "před každým tahem krátce přemýšlí: dobrý stálý hráč",
    expert: "přemýšlí nejdéle, až dvě sekundy na tah: nejsilnější",
  },
};

const say = part<Known>(words);

/** Return what to expect of *bot*; empty for one that these pages do not know. */
export function expected(bot: string): string {
  return bot in words.en ? say(bot as Known) : "";
}

/** Return the named strengths first, weakest first, then whatever other bots the game has. */
export function offered(game: GameInfo): { strengths: string[]; others: string[] } {
  return {
    strengths: game.strengths,
    others: game.bots.filter((bot) => !game.strengths.includes(bot)),
  };
}
