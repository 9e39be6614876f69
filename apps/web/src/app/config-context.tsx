import { createContext, useContext } from 'react';
import type { AppConfig } from './config.ts';

export const ConfigContext = createContext<AppConfig>({ apiKey: '', demo: false });

export const useConfig = (): AppConfig => useContext(ConfigContext);
