export const search = { name: 'search' };
