import styles from './popup.module.css';

/** The focus goes back to what opened a popup, unless it has gone elsewhere: who types already goes on typing. */
export const backTo = (opener: () => HTMLElement | null) => (): HTMLElement | null | false => {
  const { activeElement: active, body } = document;
  const isFree = active === null || active === body || active.closest(`.${styles.popup}`) !== null;
  return isFree && opener();
};
