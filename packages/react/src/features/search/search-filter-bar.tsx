import type { SearchState } from '@parley/client/search';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconClose } from '../../ui/icons.tsx';
import { withoutToken, withToken } from './search-options.ts';
import styles from './search-panel.module.css';
import { searchTexts } from './texts.ts';

export type SearchFilterBarProps = {
  cid: string | undefined;
  state: SearchState;
  onType: (typed: string) => void;
};

const tokensOf = ({ filters }: SearchState['parsed']): readonly string[] => [
  ...(filters.from === undefined ? [] : [`from:${filters.from}`]),
  ...(filters.in === undefined ? [] : [`in:${filters.in}`]),
  ...(filters.before === undefined ? [] : [`before:${filters.before}`]),
  ...(filters.after === undefined ? [] : [`after:${filters.after}`]),
  ...(filters.has ?? []).map((what) => `has:${what}`),
];

/** Filters as words of the query: chips add and remove them. */
export function SearchFilterBar({ cid, state, onType }: SearchFilterBarProps) {
  const text = useTexts(searchTexts);
  const { typed, parsed } = state;
  const { filters } = parsed;
  const offer = (token: string, label: string, isShown: boolean) =>
    isShown && (
      <button type="button" className={styles.chip} onClick={() => onType(withToken(typed, token))}>
        {label}
      </button>
    );
  return (
    <fieldset className={styles.filters}>
      <legend className={styles.hidden}>{text('filters')}</legend>
      {tokensOf(parsed).map((token) => (
        <button
          key={token}
          type="button"
          className={styles.chip}
          data-on
          aria-label={`${text('remove')} ${token}`}
          onClick={() => onType(withoutToken(typed, token))}
        >
          {token}
          <IconClose size={12} />
        </button>
      ))}
      {filters.from === undefined && parsed.open === undefined && (
        <button
          type="button"
          className={styles.chip}
          onClick={() => onType(withToken(typed, 'from:').trimEnd())}
        >
          {text('from')}
        </button>
      )}
      {offer(`in:${cid}`, text('inHere'), cid !== undefined && filters.in === undefined)}
      {filters.before === undefined && (
        <label className={styles.chip}>
          {text('before')}
          <input
            type="date"
            className={styles.date}
            onChange={({ target }) =>
              target.value !== '' && onType(withToken(typed, `before:${target.value}`))
            }
          />
        </label>
      )}
      {offer('has:attachment', text('hasAttachment'), !filters.has?.includes('attachment'))}
      {offer('has:link', text('hasLink'), !filters.has?.includes('link'))}
    </fieldset>
  );
}
