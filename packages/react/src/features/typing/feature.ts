export const typing = { name: 'typing' };
