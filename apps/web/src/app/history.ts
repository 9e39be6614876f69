import { createBrowserHistory } from '@tanstack/react-router';
import { browserPage, createLayerHistory } from './layers.ts';

export const history = createBrowserHistory();

/** The layers over the page, and the steps back that belong to them. */
export const layerHistory = createLayerHistory(browserPage(window), history);
