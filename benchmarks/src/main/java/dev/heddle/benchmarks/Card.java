package dev.heddle.benchmarks;

/**
 * How a contender introduces itself.
 *
 * @param id what {@code --only} matches, and how a child process is told whom to run
 * @param product name and version
 * @param store name of the database
 * @param workers how many jobs run at once
 * @param inFlight how many jobs may be taken from the store at once, running or not
 * @param settings everything else that was chosen for it
 * @param peer whether it is somebody else's product
 * @param durable whether a stored job survives power loss in this setup
 */
record Card(String id, String product, String store, String workers, String inFlight, String settings,
        boolean peer,
        boolean durable) {}
