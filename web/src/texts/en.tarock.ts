/** The texts of Slovenian Tarock, in English. */

export const tarock = {} as const;
