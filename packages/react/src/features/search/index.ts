export { SearchPanel, type SearchPanelProps } from './search-panel.tsx';
export { searchTexts } from './texts.ts';
