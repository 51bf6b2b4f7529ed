package dev.heddle.control.model;

/**
 * The answer to the submission of a child.
 *
 * @param id the id of the child, or of the job that has its dedupe key already
 */
public record SpawnResult(String id) {}
