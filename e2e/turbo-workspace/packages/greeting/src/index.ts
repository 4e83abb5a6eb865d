export const greeting = 'hello'
