export const tasks = { name: 'tasks' };
