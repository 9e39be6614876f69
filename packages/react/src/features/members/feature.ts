export const members = { name: 'members' };
