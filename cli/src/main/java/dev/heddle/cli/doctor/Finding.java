package dev.heddle.cli.doctor;

/**
 * The result of one check.
 *
 * @param about what was checked
 * @param found what was found
 * @param fix how to fix it; empty if nothing is wrong
 */
record Finding(String about, boolean ok, String found, String fix) {

    static Finding ok(String about, String found) {
        return new Finding(about, true, found, "");
    }

    static Finding wrong(String about, String found, String fix) {
        return new Finding(about, false, found, fix);
    }
}
