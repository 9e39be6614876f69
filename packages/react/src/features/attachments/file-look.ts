import type { Attachment } from '@parley/client';

export type FileFamily =
  | 'pdf'
  | 'text'
  | 'sheet'
  | 'slides'
  | 'archive'
  | 'code'
  | 'image'
  | 'video'
  | 'audio'
  | 'other';

const families: readonly (readonly [FileFamily, RegExp])[] = [
  ['pdf', /^pdf$/],
  ['sheet', /^(xlsx?|ods|csv|tsv|numbers)$/],
  ['slides', /^(pptx?|odp|key)$/],
  ['archive', /^(zip|tar|gz|tgz|bz2|xz|7z|rar|zst)$/],
  ['code', /^(jsx?|tsx?|mjs|py|rb|go|rs|java|c|h|cpp|cs|php|sh|sql|json|ya?ml|toml|xml|html?|css|svg)$/],
  ['text', /^(txt|md|rtf|docx?|odt|pages|log)$/],
  ['image', /^(heic|heif|tiff?|bmp|psd|ai|raw|ico|jpe?g|png|gif|webp|avif)$/],
  ['video', /^(mp4|mov|webm|mkv|avi|m4v)$/],
  ['audio', /^(mp3|wav|ogg|m4a|flac|aac|opus)$/],
];

export const endingOf = (name: string): string => /\.([^.\s]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** The family of a file, by its name and, where that says nothing, by its type. */
export const familyOf = ({
  title = '',
  mime_type = '',
}: Pick<Attachment, 'title' | 'mime_type'>): FileFamily => {
  const ending = endingOf(title);
  const byEnding = families.find(([, endings]) => endings.test(ending))?.[0];
  if (byEnding !== undefined) return byEnding;
  const [type = ''] = mime_type.split('/');
  if (type === 'image' || type === 'video' || type === 'audio' || type === 'text') return type;
  return mime_type === 'application/pdf' ? 'pdf' : 'other';
};

/** The name in two parts: the first is shortened where space is short, the extension stays. */
export const splitName = (name: string): readonly [string, string] => {
  const ending = endingOf(name);
  const cut = ending === '' ? name.length : Math.max(0, name.length - ending.length - 1 - 3);
  return [name.slice(0, cut), name.slice(cut)];
};

/** 0:07, 12:30, 1:02:03. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.round(Number.isFinite(seconds) ? seconds : 0));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
};
