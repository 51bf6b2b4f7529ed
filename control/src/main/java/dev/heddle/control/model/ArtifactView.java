package dev.heddle.control.model;

/**
 * A file that an attempt of a job has left.
 *
 * @param attempt the number of the attempt
 * @param name its path below the working directory of the attempt, with forward slashes
 * @param bytes its size
 * @param place where it is stored, such as {@code host:/srv/app/.heddle}
 */
public record ArtifactView(int attempt, String name, long bytes, String place) {}
