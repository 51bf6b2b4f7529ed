package dev.heddle.cli.doctor;

/**
 * What one check came to.
 *
 * @param about what was checked
 * @param found what was found
 * @param fix what to do about it; empty where all is well
 */
record Finding(String about, boolean ok, String found, String fix) {

    static Finding well(String about, String found) {
        return new Finding(about, true, found, "");
    }

    static Finding wrong(String about, String found, String fix) {
        return new Finding(about, false, found, fix);
    }
}
