import '@parley/react/theme.css';
import './app/app.css';
import { TextProvider } from '@parley/react';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { appReady } from './app/app.tsx';
import { loadConfig } from './app/config.ts';
import { ConfigContext } from './app/config-context.tsx';
import { directionOf, localeOf } from './app/direction.ts';
import { ErrorBoundary, ErrorPage } from './app/error-page.tsx';
import { endPage } from './app/kept-page.ts';
import { router } from './app/router.tsx';
import { toError } from './app/to-error.ts';
import { handOver } from './keys/hand-over.ts';

const language = localeOf(location.search, navigator.languages);
document.documentElement.dir = directionOf(language);

/** Stands before all else that is drawn: what takes the focus after it finds a page that works. */
function KeptPageEnd({ root }: { root: HTMLElement }) {
  useLayoutEffect(() => {
    endPage(root);
    handOver(document, window.parleyEarly?.typing);
  }, [root]);
  return null;
}

const start = async (element: HTMLElement) => {
  const isKeptShown = element.firstChild !== null;
  const root = createRoot(element);
  const draw = (children: ReactNode) =>
    root.render(
      <>
        <KeptPageEnd root={element} />
        {children}
      </>,
    );
  try {
    const config = await loadConfig(document, fetch);
    // The first drawing would be an empty one without it.
    await Promise.all([router.load(), isKeptShown && appReady]);
    draw(
      <StrictMode>
        <TextProvider language={language}>
          <ErrorBoundary>
            <ConfigContext value={config}>
              <RouterProvider router={router} />
            </ConfigContext>
          </ErrorBoundary>
        </TextProvider>
      </StrictMode>,
    );
  } catch (error) {
    draw(<ErrorPage error={toError(error)} action="tryAgain" onAct={() => location.reload()} />);
  }
};

const element = document.getElementById('root');
if (element) void start(element);
