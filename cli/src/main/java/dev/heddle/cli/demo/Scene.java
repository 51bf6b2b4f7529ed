package dev.heddle.cli.demo;

import java.util.List;

/** One thing the demo shows. */
interface Scene {

    String title();

    /** Plays it and says what came of it; what it throws counts as a failed check. */
    List<Check> play(Stage stage) throws Exception;
}
