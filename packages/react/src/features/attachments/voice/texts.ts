import { defineTexts } from '../../../i18n/catalogue.ts';

export const voiceTexts = defineTexts('voice', {
  panel: 'Voice message',
  asking: 'Allow the microphone to start recording…',
  recording: 'Recording',
  paused: 'Paused',
  recorded: 'Recorded, {time}',
  discard: 'Discard the recording',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop and listen',
  play: 'Play',
  send: 'Send the voice message',
  sending: 'Sending…',
  stopSending: 'Stop sending',
  longest: {
    one: 'Voice messages can be up to a minute long',
    other: 'Voice messages can be up to {count} minutes long',
  },
  refused: 'Microphone access is blocked',
  refusedHint: "Allow it for this site in your browser's settings, then try again.",
  noMicrophone: 'No microphone found',
  noMicrophoneHint: 'Connect one, then try again.',
  busy: "Couldn't use your microphone",
  busyHint: 'Another app may be using it. Close that app, then try again.',
  empty: 'Nothing was recorded. Try again.',
  notSent: "Couldn't send the voice message. Try again.",
});
