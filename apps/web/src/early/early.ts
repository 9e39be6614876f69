/** Runs before the app is loaded, as a script of its own: see `early-script.ts`. */
import { createKeptPages, type DrawnPage, showPage } from '../app/kept-page.ts';
import { runApp, whenRoot } from '../app/start-app.ts';
import { keepTyping } from '../keys/early-typing.ts';
import { createSessionStore } from '../session/session.ts';
import { readTokenLink } from '../session/token-link.ts';
import { ensureStorage } from './ensure-storage.ts';
import { type Early, startEarly } from './start-early.ts';

declare global {
  interface Window {
    parleyEarly?: Early | undefined;
  }
}

const version = document.currentScript?.dataset.app;
let kept: DrawnPage | undefined;
// The app is loaded in any case, whatever fails below. The page has its root only after this script.
if (version)
  whenRoot(document, (root) => {
    void runApp(root, version, kept !== undefined);
    if (!kept || !window.parleyEarly) return;
    showPage(root, kept);
    // It looks as if one could write in it.
    window.parleyEarly.typing = { ...keepTyping(document), address: kept.address };
  });

for (const name of ['localStorage', 'sessionStorage'] as const) ensureStorage(window, name);

const theme = localStorage.getItem('parley.theme');
// The theme is set before anything is painted: a page in the other theme would flash.
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;

const written = document.getElementById('parley-config')?.textContent;
// A link that signs somebody in is read by the app itself.
const isLink = readTokenLink(location.hash, Date.now()) !== undefined;
if (written && version) {
  const begun = startEarly({
    config: JSON.parse(written),
    session: isLink ? undefined : createSessionStore(sessionStorage, localStorage).load(),
    path: location.pathname,
    version,
    storage: localStorage,
    fetch: (input, init) => fetch(input, init),
    now: Date.now,
  });
  window.parleyEarly = { version, begun };
  if (begun) kept = createKeptPages(localStorage, version, Date.now).find(begun.userId, window);
}
