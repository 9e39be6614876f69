export const presence = { name: 'presence' };
