export const composer = { name: 'composer' };
