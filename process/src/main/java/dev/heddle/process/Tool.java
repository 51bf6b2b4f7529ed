package dev.heddle.process;

import java.nio.file.Path;

/**
 * A program that a job type needs.
 *
 * @param version the first line it says about its version; empty where it says none
 */
public record Tool(String name, Path path, String version) {}
