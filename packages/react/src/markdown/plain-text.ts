import { createContext, type ReactNode } from 'react';

/** Draws a run of text that holds no link and no markup; features that find more in it give another function. */
export const PlainText = createContext<(text: string) => ReactNode>((text) => text);
