import type { Key } from "./en";

export const cs: Record<Key, string> = {
  title: "Rozbor",
  start: "Rozebrat toto rozdání",
  more: "Ke každému rozhodnutí: co by zvolil bot „mistr“, kdyby věděl to co hráč.",
  waiting: "Rozbor začíná…",
  progress: "Posouzená rozhodnutí: {n} z {of}",
  stop: "Zastavit rozbor",
  failed: "Rozbor se přerušil. {words}",
  busy: "Právě se rozebírají jiná rozdání. Zkuste to znovu za minutu.",
  same: "Mistr by udělal totéž.",
  better: "Mistr by dal přednost: {words}",
  gain: "Očekávaný zisk v bodech: {n}",
  even: "Asi stejně dobré",
  next: "Další drahé rozhodnutí",
  none: "V tomto rozdání není drahé rozhodnutí.",
  count: "{n} {n|drahé rozhodnutí|drahá rozhodnutí|drahých rozhodnutí}",
  lost: "Ztraceno rozhodnutími, v bodech: {list}",
};
