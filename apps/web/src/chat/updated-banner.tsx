import { Button, useClient, useTexts } from '@parley/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { outdated } from '../app/load-chunk.ts';
import { appTexts } from '../app/texts.ts';
import { countUnsent } from '../session/unsent.ts';
import styles from './updated-banner.module.css';

const lookMs = 1000;

/** True while a message waits to be sent. */
function useHasUnsent(isAsked: boolean): boolean {
  const client = useClient();
  const [hasUnsent, setUnsent] = useState(true);
  useEffect(() => {
    if (!isAsked) return;
    const look = () =>
      countUnsent(client, 0).then(
        (count) => setUnsent(count > 0),
        () => {},
      );
    void look();
    const timer = setInterval(look, lookMs);
    return () => clearInterval(timer);
  }, [client, isAsked]);
  return hasUnsent;
}

/** Offers to reload once a part of the app is no longer on the server; not while a message waits, whose file a reload would lose. */
export function UpdatedBanner() {
  const text = useTexts(appTexts);
  const isOutdated = useSyncExternalStore(outdated.subscribe, outdated.get);
  const hasUnsent = useHasUnsent(isOutdated);
  return (
    <div role="status">
      {isOutdated && !hasUnsent && (
        <div className={styles.line}>
          <span>{text('updated')}</span>
          <Button size="s" onClick={() => location.reload()}>
            {text('reload')}
          </Button>
        </div>
      )}
    </div>
  );
}
