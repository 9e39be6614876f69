export const mentions = { name: 'mentions' };
