import styles from './action-list.module.css';
import type { MenuAction } from './menu.tsx';

export type ActionListProps = {
  actions: readonly MenuAction[];
  /** Called before the action, for a sheet that closes first. */
  onSelect?: () => void;
};

/** Actions as large rows, for fingers. Belongs inside a sheet. */
export function ActionList({ actions, onSelect }: ActionListProps) {
  return (
    <ul className={styles.actions}>
      {actions.map((action, index) => (
        <li key={action.id} data-divided={action.group !== actions[index - 1]?.group || undefined}>
          <button
            type="button"
            className={styles.action}
            data-danger={action.danger || undefined}
            disabled={action.disabled}
            onClick={() => {
              onSelect?.();
              action.onSelect();
            }}
          >
            {action.icon}
            {action.label}
          </button>
        </li>
      ))}
    </ul>
  );
}
