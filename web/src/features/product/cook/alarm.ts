// The sound of a timer that is over. Browsers allow sound only after a press, so it is made ready when a timer is started.

let audio: AudioContext | undefined;

const BEEPS = 6;
const BEEP_SECONDS = 0.25;
const PITCH_HZ = 880;

export function prepareAlarm(): void {
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  void audio.resume();
}

export function ring(): void {
  navigator.vibrate?.([400, 200, 400]);
  if (!audio) return;
  void audio.resume();
  for (let beep = 0; beep < BEEPS; beep++) {
    const tone = new OscillatorNode(audio, { frequency: PITCH_HZ });
    const volume = new GainNode(audio, { gain: 0.3 });
    tone.connect(volume).connect(audio.destination);
    const at = audio.currentTime + beep * 2 * BEEP_SECONDS;
    tone.start(at);
    tone.stop(at + BEEP_SECONDS);
  }
}
