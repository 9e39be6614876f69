import '@parley/react/theme.css';
import './app/app.css';
import { TextProvider } from '@parley/react';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { loadConfig } from './app/config.ts';
import { ConfigContext } from './app/config-context.tsx';
import { directionOf, localeOf } from './app/direction.ts';
import { ErrorBoundary, ErrorPage } from './app/error-page.tsx';
import { router } from './app/router.tsx';
import { toError } from './app/to-error.ts';

const language = localeOf(location.search, navigator.languages);
document.documentElement.dir = directionOf(language);

const start = async (root: Root) => {
  try {
    const config = await loadConfig(document, fetch);
    root.render(
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
    root.render(<ErrorPage error={toError(error)} action="tryAgain" onAct={() => location.reload()} />);
  }
};

const element = document.getElementById('root');
if (element) void start(createRoot(element));
