import { Dialog, useTexts } from '@parley/react';
import { Fragment, useState } from 'react';
import { keyNames } from './key-names.ts';
import {
  type Combo,
  isMacLike,
  type ShortcutGroup,
  type ShortcutId,
  shortcutIds,
  shortcuts,
} from './shortcuts.ts';
import styles from './shortcuts-page.module.css';
import { areSingleKeysOn, setSingleKeys } from './single-keys.ts';
import { keyTexts } from './texts.ts';

const groups: readonly ShortcutGroup[] = ['getAround', 'messages', 'writing'];

const idsOf = (group: ShortcutGroup): ShortcutId[] =>
  shortcutIds.filter((id) => shortcuts[id].group === group);

/** All shortcuts, from the table by which they work. */
export function ShortcutsPage({ onClose }: { onClose: () => void }) {
  const text = useTexts(keyTexts);
  return (
    <Dialog open isText onOpenChange={(open) => !open && onClose()} title={text('keyboardShortcuts')}>
      {groups.map((group) => (
        <section key={group} aria-label={text(group)} className={styles.group}>
          <h3 className={styles.heading}>{text(group)}</h3>
          <dl className={styles.rows}>
            {idsOf(group).map((id) => (
              <div key={id} className={styles.row} data-shortcut={id}>
                <dt>{text(id)}</dt>
                <dd className={styles.combos}>
                  {shortcuts[id].combos.map((combo, index) => (
                    <Fragment key={combo.key}>
                      {index > 0 && <span className={styles.or}>{text('or')}</span>}
                      <Keys combo={combo} />
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <SingleKeys />
    </Dialog>
  );
}

function SingleKeys() {
  const text = useTexts(keyTexts);
  const [isOn, setOn] = useState(() => areSingleKeysOn(localStorage));
  const change = (on: boolean) => {
    setSingleKeys(localStorage, on);
    setOn(areSingleKeysOn(localStorage));
  };
  return (
    <label className={styles.single}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => change(target.checked)} />
      {text('singleKeys')}
    </label>
  );
}

function Keys({ combo }: { combo: Combo }) {
  const text = useTexts(keyTexts);
  return (
    <span dir="ltr" className={styles.keys}>
      {keyNames(combo, isMacLike(navigator.platform), text).map((name) => (
        <kbd key={name} className={styles.key}>
          {name}
        </kbd>
      ))}
    </span>
  );
}
