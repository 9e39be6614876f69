import { createContext, type ReactNode, useContext } from 'react';
import { cx, kitRoot } from './cx.ts';
import styles from './kit-root.module.css';

/** True inside an element that has the base styles of the kit already. */
export const InKitRoot = createContext(false);

/**
 * A place for parts of the kit in a page of a product: it gives them their base styles and fills the height it is given.
 * Inside an `AppShell` or another root it adds nothing.
 */
export function KitRoot({ children }: { children: ReactNode }) {
  if (useContext(InKitRoot)) return children;
  return (
    <InKitRoot value={true}>
      <div className={cx(kitRoot, styles.root)}>{children}</div>
    </InKitRoot>
  );
}
