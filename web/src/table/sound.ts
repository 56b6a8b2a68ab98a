/** Sounds synthesised in the browser. Loaded when sounds are switched on. */

export type Sound = "card" | "turn" | "trick" | "result";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Return a running audio context, or null if the browser still waits for a user action. */
function running(): AudioContext | null {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context.state === "running" ? context : null;
}

/** A fading tone, starting *at* seconds from now. */
function tone(out: AudioContext, at: number, hertz: number, seconds: number, loud: number): void {
  const start = out.currentTime + at;
  const voice = out.createOscillator();
  const gain = out.createGain();
  voice.type = "sine";
  voice.frequency.value = hertz;
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loud, start + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  voice.connect(gain).connect(out.destination);
  voice.start(start);
  voice.stop(start + seconds);
}

/** The sound of a card: filtered noise. */
function brush(out: AudioContext, at: number, hertz: number, seconds: number, loud: number): void {
  if (!noise) {
    noise = out.createBuffer(1, out.sampleRate / 2, out.sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  }
  const start = out.currentTime + at;
  const source = out.createBufferSource();
  const band = out.createBiquadFilter();
  const gain = out.createGain();
  source.buffer = noise;
  band.type = "bandpass";
  band.frequency.value = hertz;
  gain.gain.setValueAtTime(loud, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  source.connect(band).connect(gain).connect(out.destination);
  source.start(start);
  source.stop(start + seconds);
}

export function sound(what: Sound): void {
  const out = running();
  if (!out) return;
  switch (what) {
    case "card":
      brush(out, 0, 2400, 0.07, 0.5);
      break;
    case "trick":
      brush(out, 0, 900, 0.16, 0.5);
      brush(out, 0.08, 700, 0.16, 0.4);
      break;
    case "turn":
      tone(out, 0, 660, 0.16, 0.12);
      tone(out, 0.12, 880, 0.22, 0.12);
      break;
    case "result":
      [523, 659, 784, 1047].forEach((hertz, at) => tone(out, at * 0.13, hertz, 0.4, 0.1));
      break;
  }
}
