package dev.heddle.benchmarks.contender;

/**
 * The description of a contender.
 *
 * @param id matched by {@code --only}, and passed to child processes
 * @param product name and version
 * @param store name of the database
 * @param workers jobs that run at once
 * @param inFlight jobs that may be claimed from the store at once, running or not
 * @param settings all other settings, as text
 * @param peer whether it is another project's product
 * @param durable whether a stored job survives power loss in this setup
 */
public record ContenderInfo(String id, String product, String store, String workers, String inFlight, String settings,
        boolean peer, boolean durable) {}
