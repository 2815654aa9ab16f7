/**
 * Calls the main method of a class for each line of the standard input, in one Java machine: to start
 * one takes longer than to learn a small data set. A line is a class and its arguments, separated by
 * tabs; after each call comes a line with the sign for the end of a transmission.
 */
public class Repeat {
    public static void main(String[] unused) throws Exception {
        var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        for (String line; (line = lines.readLine()) != null; ) {
            var words = line.split("\t");
            Object arguments = java.util.Arrays.copyOfRange(words, 1, words.length);
            Class.forName(words[0]).getMethod("main", String[].class).invoke(null, arguments);
            System.out.println("\n\u0004");
            System.out.flush();
        }
    }
}
