import { DraftSync } from './draft-sync.tsx';

export const drafts = { name: 'drafts', Start: DraftSync };
