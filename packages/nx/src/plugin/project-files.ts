/** The files in which Nx has the targets of a project. */
export const PROJECT_FILES: readonly string[] = ['project.json', 'package.json']
