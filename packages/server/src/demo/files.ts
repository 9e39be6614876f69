import type { Attachment, Upload } from '@parley/protocol';
import type { DemoFile } from './conversations/types.ts';
import { drawChart, drawScene, drawSketch } from './drawings.ts';
import { sing, speak, waveformOf } from './sounds.ts';

const frames = (): Buffer => {
  const rows = Array.from({ length: 24 }, (_, index) => {
    const note = index === 13 ? 'goose' : '';
    return `${index + 49},${index % 3 === 0 ? 'persimmon' : 'reed green'},${index === 13 ? 'kept' : 'sold'},${note}`;
  });
  return Buffer.from(['frame,box,state,reason', ...rows, ''].join('\n'));
};

const pageLines = [
  'Heron launch: run sheet',
  '09:30  Kettle is unplugged. Both plants are watered.',
  '10:00  Stream begins. Dara keeps the chat kind.',
  '10:05  Bo tells the story. Five minutes. Not six.',
  '10:10  Yuki draws the Heron, one line.',
  '10:20  The shop opens. 120 frames, counted and labelled.',
  'Next day: nobody works. Article 9.',
];

/** A page as PDF, with one of the fonts that every reader has. */
const page = (): Buffer => {
  const words = pageLines.map(
    (line, index) => `${index === 0 ? '/F1 20 Tf' : '/F1 12 Tf'} (${line}) Tj 0 -26 Td`,
  );
  const content = `BT 60 760 Td ${words.join('\n')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const start = body.length;
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`,
  );
};

/** The bytes of a file, made here and now: nothing in the demo was anybody else's. */
export const makeFile = async ({ made, seed = 1, size }: DemoFile): Promise<Buffer> => {
  switch (made) {
    case 'scene':
      return drawScene(seed, size);
    case 'sketch':
      return drawSketch(seed, size);
    case 'chart':
      return drawChart(size);
    case 'sheet':
      return frames();
    case 'page':
      return page();
    case 'voice':
      return speak(seed);
    case 'tune':
      return sing(seed);
  }
};

/** The attachment of a message for a stored file. */
export const toAttachment = ({ made, name }: DemoFile, upload: Upload, bytes: Buffer): Attachment => {
  if (upload.thumb_url !== undefined)
    return { type: 'image', title: name, image_url: upload.file, thumb_url: upload.thumb_url };
  const file = { title: name, asset_url: upload.file };
  if (made === 'voice') return { type: 'voiceRecording', waveform_data: waveformOf(bytes), ...file };
  return { type: made === 'tune' ? 'audio' : 'file', ...file };
};
