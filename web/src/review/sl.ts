import type { Key } from "./en";

export const sl: Record<Key, string> = {
  title: "Analiza",
  start: "Analiziraj to delitev",
  more: "Za vsako odločitev: kaj bi izbral bot »mojster«, če bi vedel toliko kot igralec.",
  waiting: "Analiza se začenja …",
  progress: "Ocenjene odločitve: {n} od {of}",
  stop: "Ustavi analizo",
  failed: "Analiza se je prekinila. {words}",
  busy: "Analizirajo se druge delitve. Poskusite znova čez minuto.",
  same: "Mojster bi storil enako.",
  better: "Mojster bi raje: {words}",
  gain: "Pričakovani dobiček v točkah: {n}",
  even: "Približno enako dobro",
  next: "Naslednja draga odločitev",
  none: "V tej delitvi ni drage odločitve.",
  count: "{n} {n|draga odločitev|dragi odločitvi|drage odločitve|dragih odločitev}",
  lost: "Izgubljeno z odločitvami, v točkah: {list}",
};
