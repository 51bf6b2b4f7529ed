package dev.heddle.cli.demo;

import java.io.IOException;
import java.nio.file.Path;

/** Starts a process that works on the orders in the directory's store, until it is killed. */
interface Crew {

    int WORKERS = 2;

    /** The step from which on the crew's workers hang. */
    int HANG_FROM = 8;

    Process start(Path directory) throws IOException;
}
