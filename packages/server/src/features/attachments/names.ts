const longest = 180;
const keepsEnding = 20;

/** Characters that a file system, a header or a screen could misread: controls, separators, direction marks. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}/\\:*?"<>|]/gu;
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A name as people may see and save it. Only ever a label: no file of ours is stored under it. */
export const safeName = (given: string | undefined): string => {
  const last = (given ?? '').split(/[/\\]/).pop() ?? '';
  const clean = last
    .toWellFormed()
    .replace(unsafe, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const named = clean === '' || reserved.test(clean) ? `file${clean === '' ? '' : `_${clean}`}` : clean;
  const signs = [...named];
  if (signs.length <= longest) return named;
  const ending = /\.[^.\s]+$/.exec(named)?.[0] ?? '';
  const kept = [...ending].length <= keepsEnding ? ending : '';
  return signs.slice(0, longest - [...kept].length).join('') + kept;
};

/** RFC 6266: an ASCII name for old programs and the true one for the rest. */
export const disposition = (kind: 'inline' | 'attachment', name: string): string => {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${full}`;
};
