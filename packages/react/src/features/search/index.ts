export { type SearchTexts, searchEnglish } from './english.ts';
export { SearchPanel, type SearchPanelProps } from './search-panel.tsx';
