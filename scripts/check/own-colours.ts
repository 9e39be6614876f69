import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { listFiles, readText } from './source-files.ts';

const home = 'packages/react/src/';
const app = 'apps/web/src/';

/** The style sheets with colours that no token has, each with its reason. Every other colour is one that a product can set. */
const exceptions: Record<string, string> = {
  'theme/tokens.css': 'the tokens themselves',
  'ui/avatar.module.css': 'the hues of people without a picture',
  'markdown/code-block.module.css': 'the inks of code',
  'features/attachments/file-card.module.css': 'the colours of kinds of files',
  'features/attachments/lightbox.module.css': 'dark around pictures, in either theme',
  'features/attachments/image-grid.module.css': 'what lies over a picture',
  'features/attachments/media-panel.module.css': 'what lies over a picture',
  'features/attachments/picture.module.css': 'what lies over a picture',
  'features/attachments/video-player.module.css': 'the bars beside a film',
  'features/link-previews/link-cards.module.css': 'what lies over a picture',
  'features/locations/location-map.module.css': 'what lies over a map',
};

const colour = /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|oklab|lab|lch|hwb)\(/gi;

export const colourProblems = (path: string, text: string): string[] => {
  const isOurs = path.startsWith(home) || path.startsWith(app);
  if (!isOurs || path.replace(home, '') in exceptions) return [];
  const code = withoutComments(path, text);
  return [...code.matchAll(colour)].map(
    ({ 0: found, index }) =>
      `${path}:${code.slice(0, index).split('\n').length} has a colour of its own (${found}): use a token of theme/tokens.css`,
  );
};

/** A product sets the tokens: a colour beside them would stay as it is. */
export const ownColours: Check = {
  name: 'colours by tokens',
  run: async (root) => ({
    problems: listFiles(root, ['.css']).flatMap((path) => colourProblems(path, readText(root, path))),
  }),
};
