package dev.heddle.cli.demo;

import java.util.List;

/** One part of the demo. */
interface Scene {

    String title();

    /** Plays the scene and returns its checks. An exception counts as a failed check. */
    List<Check> play(Stage stage) throws Exception;
}
